import { strictObject } from '../../core/capability/declare';
import { choice, type InputOf, text } from '../shared/parameters';

export const notificationInput = strictObject(
  { message: text('Plain text, one or two sentences', 500) },
  {
    severity: choice('How it looks', ['info', 'warning', 'error'], 'info'),
    buttons: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 40 },
      maxItems: 3,
      description: 'Labels of up to 3 buttons to choose from',
    },
  },
);
export type NotificationInput = InputOf<typeof notificationInput>;
