import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentPlace } from './agents';

/** What lies in the workspace of every agent. */
export const secret = 'KEY=do-not-tell';
export const openText = 'alpha beta';

/** A home and a workspace that are gone afterwards. */
export function agentPlace(port: number, node: string): AgentPlace & { dispose(): void } {
  const root = mkdtempSync(path.join(tmpdir(), 'real-agent-'));
  const [home, workspace] = [path.join(root, 'home'), path.join(root, 'work')];
  mkdirSync(home);
  mkdirSync(path.join(workspace, '.git'), { recursive: true });
  writeFileSync(path.join(workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  for (const name of ['.env', 'server.pem']) writeFileSync(path.join(workspace, name), `${secret}\n`);
  writeFileSync(path.join(workspace, 'a.txt'), `${openText}\n`);
  const program = path.resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
  return {
    home,
    workspace,
    port,
    node,
    fileServer: [node, program, workspace],
    dispose: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}
