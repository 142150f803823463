import type { ServerIdentity } from '../mcp/server/makeServer';

export const identity: ServerIdentity = { name: 'agent-capabilities', title: 'Agent Capabilities', version: '0.1.0' };

export interface HttpServeOptions {
  readonly port: number;
  readonly token: string;
  readonly restToken: string | undefined;
}
