import type { Capability } from '../../core/capability/capability';

/** Does nothing; for tests and for seeing how a profile behaves without tools. */
export const noop: Capability = {
  id: 'noop',
  version: '1.0.0',
  name: 'Noop',
  description: 'Does nothing. For tests and demonstrations.',
  summary: 'does nothing',
  status: 'available',
  source: { type: 'builtin' },
  icon: 'circle-slash',
  category: 'Testing',
  tools: [],
};
