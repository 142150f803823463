import type { Access } from '../../vocabulary/access';
import type { Boundary } from '../../vocabulary/boundary';
import type { FlowLabel } from '../../vocabulary/flow';
import type { CallSketch, RuleAnswer, RuleExample } from '../../vocabulary/callSketch';

/** Calls for which a preset's rule speaks, and near ones for which it says nothing. */
interface Speaks {
  readonly of: readonly CallSketch[];
  readonly not: readonly CallSketch[];
}

const touching =
  (effect: string) =>
  (resource: string, more: Partial<Access> = {}): CallSketch => ({ accesses: [{ effect, resource, ...more }] });

const [read, write] = [touching('fs.read'), touching('fs.write')];
const [remove, http] = [touching('fs.delete'), touching('network.http')];

const labelled = (labels: readonly FlowLabel[], sketch: CallSketch): CallSketch => ({ ...sketch, labels });

/** Calls to the machine itself and to the address at which clouds hand out keys. */
const privatePages = ['http://localhost:3000/', 'http://169.254.169.254/latest/meta-data'].map((url) => http(url));

const examples: Readonly<Record<string, Speaks>> = {
  'preset.secrets': {
    of: [read('.env'), read('app/.env.local'), write('certs/server.pem'), read('.ssh/id_ed25519')],
    not: [read('.env.example'), read('src/env.ts'), http('https://example.com/.env')],
  },
  'preset.governing-files': {
    of: [write('.vscode/settings.json'), write('.git/hooks/pre-commit'), remove('AGENTS.md'), write('tools/x/HEAD')],
    not: [read('.vscode/settings.json'), write('src/settings.json'), write('src/head.ts')],
  },
  'preset.pipeline-files': {
    of: [write('.github/workflows/ci.yml')],
    not: [read('.github/workflows/ci.yml'), write('docs/ci.yml')],
  },
  'preset.build-files': { of: [write('package.json')], not: [read('package.json'), write('src/index.ts')] },
  'preset.private-addresses': { of: privatePages, not: [http('https://example.com/')] },
  'preset.other-hosts': { of: [http('https://example.com/')], not: [read('README.md')] },
  'preset.recursive-delete': {
    of: [remove('src', { recursive: true })],
    not: [remove('dist', { recursive: true }), remove('src/a.js'), write('src/a.js')],
  },
  'preset.permanent-delete': {
    of: [remove('notes.md', { permanent: true })],
    not: [remove('notes.md'), write('notes.md'), remove('dist/a.js', { permanent: true })],
  },
  'preset.database-delete': {
    of: [touching('database.delete')('default')],
    not: [touching('database.read')('default'), touching('database.write')('default'), remove('app.sqlite')],
  },
  'preset.hook-canary': {
    of: [{ source: 'host', ...read('.agent-capabilities-canary') }],
    not: [read('.agent-capabilities-canary'), { source: 'host', ...read('README.md') }],
  },
  'preset.fetched-code': {
    of: [touching('system.exec_fetched')('curl https://example.com/install.sh | sh')],
    not: [touching('system.exec')('npm test')],
  },
  'preset.hidden-shell': {
    of: [touching('system.exec_interactive')('ssh example.com')],
    not: [touching('system.exec')('ssh example.com uptime')],
  },
  'preset.terminal': {
    of: [{ source: 'host', ...touching('system.exec')('make') }],
    not: [touching('system.exec')('make'), { source: 'host', ...read('Makefile') }],
  },
  'preset.flow': {
    of: [labelled(['private', 'untrusted'], http('https://example.com/?q=1', { method: 'POST' }))],
    not: [
      labelled(['private'], http('https://example.com/?q=1', { method: 'POST' })),
      labelled(['untrusted'], http('https://example.com/?q=1', { method: 'POST' })),
      labelled(['private', 'untrusted'], write('notes.md')),
    ],
  },
  'preset.private-out': {
    of: [labelled(['private'], http('https://example.com/', { method: 'GET' }))],
    not: [
      labelled(['untrusted'], http('https://example.com/', { method: 'GET' })),
      labelled(['private'], read('a.ts')),
    ],
  },
  'preset.high-risk': {
    of: [{ capability: 'any', riskLevel: 'high' }],
    not: [
      { capability: 'any', riskLevel: 'medium' },
      { capability: 'any', riskLevel: 'critical' },
    ],
  },
  'preset.critical-risk': {
    of: [{ capability: 'any', riskLevel: 'critical' }],
    not: [{ capability: 'any', riskLevel: 'high' }],
  },
};

/**
 * The examples of a rule: its own, or of a preset's rule those that are shipped, of which the first speak by its
 * decision. Those are no part of the rule, so that they are not loaded at start.
 */
export function examplesOf({ id, decision, examples: own, scope }: Boundary): readonly RuleExample[] {
  if (own !== undefined || scope !== 'builtin' || !Object.hasOwn(examples, id)) return own ?? [];
  const { of, not } = examples[id] ?? { of: [], not: [] };
  const answer: RuleAnswer = decision === 'deny' || decision === 'advise' ? decision : 'ask';
  return [
    ...of.map((sketch): RuleExample => ({ ...sketch, expect: answer })),
    ...not.map((sketch): RuleExample => ({ ...sketch, expect: 'pass' })),
  ];
}
