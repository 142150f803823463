import path from 'node:path';
import { composeSoloGate } from '../app/composeSoloGate';
import type { Problem } from '../core/base/problem';
import { hookInvocation, type HookVerdict, hookVerdict, ranElsewhere } from '../core/gate/hookCall';
import type { HostEvent } from '../core/hooks/hostEvent';
import type { Log } from '../core/ports/platform';
import { fileStore } from '../node/fileStore';
import { readHookSettings } from '../node/hooks/hookSettings';
import { hookWorkspace } from '../node/hooks/hookWorkspace';
import { spoolSink } from '../node/hooks/spool';
import { ManagedFile, managedFileInForce, ownSettings } from '../node/managedFile';
import { nodeCrypto } from '../node/system';
import { readJsonFile } from './workspace';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Judges one call without an editor: by the user's settings as an editor left them, and the rules of the folder that the
 * agent works in. Throws where either cannot be read: the caller denies.
 */
export async function judgeAlone(folder: string, event: HostEvent): Promise<HookVerdict> {
  const workspace = hookWorkspace(event.cwd ?? process.cwd());
  const { user, modes } = readHookSettings(folder);
  const faults: Problem[] = [];
  const managed = new ManagedFile(managedFileInForce(user['policy.managedFile']), () => undefined);
  const settings = readJsonFile(path.join(workspace, '.vscode', 'settings.json'), faults, workspace);
  const gate = await composeSoloGate({
    folder: workspace,
    layers: { managed: managed.values, user, workspace: ownSettings(settings) },
    mode: modes[workspace] === 'plan' ? 'plan' : 'execute',
    limits: fileStore(path.join(folder, 'limits'), () => undefined),
    own: [folder],
    audit: spoolSink(folder, () => undefined),
    log: silent,
  });
  try {
    const invocation = hookInvocation(event, nodeCrypto);
    if (event.kind === 'after') {
      await gate.router.finishedElsewhere(invocation, ranElsewhere(event));
      return { effect: 'allow', reason: '' };
    }
    const verdict = hookVerdict(await gate.router.invoke(invocation));
    return verdict.effect === 'ask' && gate.needsAdmin() ? { ...verdict, effect: 'deny' } : verdict;
  } finally {
    await gate.close();
  }
}
