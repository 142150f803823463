import type { Access } from '../../vocabulary/access';
import { isObject, type Json } from '../../base/json';
import { exchange } from '../../net/exchange';
import type { ChannelHandlerSpec } from './handlerSpec';
import { asText } from '../../vocabulary/template';
import { mapResponse } from './http';
import type { ToolHandler } from '../../capability/tool';

const maxBytes = 5_000_000;

interface ChannelRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly body?: string;
}

/**
 * Data, state and status are read with GET, an action is POSTed, a control without arguments is read and with arguments
 * PUT.
 */
function channelRequest(spec: ChannelHandlerSpec, input: unknown): ChannelRequest {
  const values = isObject(input) ? input : {};
  if (spec.kind === 'action') return { method: 'POST', url: spec.url, body: JSON.stringify(values) };
  if (spec.kind === 'control' && Object.keys(values).length > 0)
    return { method: 'PUT', url: spec.url, body: JSON.stringify(values) };
  const url = new URL(spec.url);
  for (const [key, value] of Object.entries(values)) {
    // Filters by field stand beside the other parameters, as in `/api/videos?mood=relaxing`.
    if (key === 'filter' && isObject(value)) {
      for (const [field, wanted] of Object.entries(value))
        if (!Object.hasOwn(values, field) || field === 'filter') url.searchParams.set(field, asText(wanted));
    } else if (value !== undefined && value !== null) url.searchParams.set(key, asText(value));
  }
  return { method: 'GET', url: url.href };
}

/** A capability of a channel's manifest as a tool. */
export function channelHandler(spec: ChannelHandlerSpec, timeoutMs: number): ToolHandler {
  return {
    accesses(input): readonly Access[] {
      const { method, url } = channelRequest(spec, input);
      return [{ effect: 'network.http', resource: url, method }];
    },
    async run(input, context) {
      const request = channelRequest(spec, input);
      const headers = {
        accept: 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const response = await exchange({ ...request, headers, maxBytes, timeoutMs }, context);
      const payload: Json = mapResponse(response, {
        response: { type: 'auto', error: '/error' },
        method: request.method,
        maxBytes,
      });
      return { payload };
    },
  };
}
