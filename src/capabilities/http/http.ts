import type { ToolDefinition } from '../../core/vocabulary/toolDefinition';
import type { JsonSchema } from '../../core/base/schema';
import { defineTool } from '../../core/capability/tool';
import { boolean, builtin, integer, object, string } from '../../core/capability/declare';
import { httpGetInput, httpRequestInput } from './inputs';

const output: JsonSchema = object(
  { status: integer, headers: { type: 'object', additionalProperties: string }, body: {} },
  { redirected_to: string, truncated: boolean },
);

const shared = {
  outputSchema: output,
  sideEffects: ['network.http'],
  costClass: 'free',
  timeoutMs: 130_000,
  icon: 'globe',
  untrustedOutput: true,
} as const satisfies Partial<ToolDefinition>;

/** `http-get`, and requests with a method and a body under policy. */
export const http = builtin({
  id: 'http',
  name: 'HTTP',
  description: 'Calls web APIs: GET, and requests with a method and a body.',
  summary: 'HTTP requests',
  icon: 'globe',
  category: 'Network',
  tools: [
    defineTool(
      {
        ...shared,
        name: 'http_get',
        title: 'HTTP GET',
        kind: 'data',
        modelDescription:
          'Perform an HTTP GET request to a web API. Use it for JSON and other machine-readable answers; to read a page made for people use web_fetch. Redirects are followed. Returns status, headers and body; a JSON body is parsed.',
        userDescription: 'Perform HTTP GET request',
        inputSchema: httpGetInput,
        permissions: { user: 'allowed', agent: 'allowed' },
        scopes: ['http:read'],
        riskLevel: 'medium',
        idempotency: 'idempotent',
        reversible: true,
        aliases: ['http-get'],
        tags: ['http', 'api', 'rest', 'fetch', 'request'],
      },
      async () => (await import('./httpTools')).httpGet,
    ),
    defineTool(
      {
        ...shared,
        name: 'http_request',
        title: 'HTTP request',
        kind: 'action',
        modelDescription:
          'Send an HTTP request with any method and a body to a web API. Use it to create, change or delete something over HTTP; to read use http_get, for pages made for people web_fetch. An object as body is sent as JSON, a string as it is. Redirects are followed for GET and HEAD only. Returns status, headers and body; a JSON body is parsed.',
        userDescription: 'Send an HTTP request with a method and a body',
        inputSchema: httpRequestInput,
        permissions: { user: 'allowed', agent: 'confirmation_required' },
        scopes: ['http:write'],
        riskLevel: 'high',
        idempotency: 'non-idempotent',
        reversible: false,
        aliases: ['http-request'],
        tags: ['http', 'api', 'rest', 'post', 'put', 'delete'],
      },
      async () => (await import('./httpTools')).httpRequest,
    ),
  ],
});
