import { temporaryWorkspace } from './cli';

const folderOf = '.vscode/capabilities';

/** A workspace with a capability that needs a file and a variable, and a rule that closes its documents. */
export const deployWorkspace = (more: Record<string, string> = {}) =>
  temporaryWorkspace({
    [`${folderOf}/cap.deploy.capability.json`]: JSON.stringify({
      id: 'cap.deploy',
      requires: { resources: ['file.key', 'env.region'] },
      side_effects: [],
      risk_level: 'low',
      cost_class: 'free',
    }),
    [`${folderOf}/requirements.json`]: JSON.stringify([
      { id: 'file.key', kind: 'file', probe: { type: 'file', path: 'deploy.txt' } },
      { id: 'env.region', kind: 'environment variable', probe: { type: 'env', name: 'AC_TEST_REGION_NOT_SET' } },
    ]),
    [`${folderOf}/boundaries.json`]: JSON.stringify([
      {
        id: 'keep',
        match: { path: 'docs/**' },
        decision: 'deny',
        reason: 'docs are frozen',
        steer: 'write to notes/',
      },
    ]),
    'deploy.txt': 'x',
    ...more,
  });
