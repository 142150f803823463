import { boolean, number, strictObject, string } from '../../core/capability/declare';
import { choice, type InputOf } from '../shared/parameters';

const url = { type: 'string', format: 'uri', description: 'Absolute URL, http or https' } as const;
const headers = { type: 'object', additionalProperties: string, description: 'Request headers by name' } as const;
const timeout = {
  type: 'number',
  minimum: 1,
  maximum: 120_000,
  default: 30_000,
  description: 'Milliseconds to wait for the answer',
} as const;

export const httpGetInput = strictObject({ url }, { headers, timeout });
export type HttpGetInput = InputOf<typeof httpGetInput>;

export const httpRequestInput = strictObject(
  { url },
  {
    method: choice('HTTP method', ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], 'GET'),
    headers,
    body: {
      description: 'Text, or any JSON value',
      anyOf: [string, { type: 'object' }, { type: 'array' }, number, boolean],
    },
    timeout,
  },
);
export type HttpRequestInput = InputOf<typeof httpRequestInput>;
