import { strictObject } from '../../core/capability/declare';
import { flag, type InputOf, text } from '../shared/parameters';

export const emailInput = strictObject(
  {
    // Of one spelling, so that a rule about recipients means each that is at this host.
    to: {
      type: 'string',
      format: 'email',
      pattern: '@[^A-Z@]+$',
      description: 'Recipient address, its domain in lower case',
    },
    subject: text('Subject line', 500),
    body: text('Text of the message', 200_000, 0),
  },
  { html: flag('True where body is HTML', false) },
);
export type EmailInput = InputOf<typeof emailInput>;
