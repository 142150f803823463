import { builtin } from '../../core/capability/declare';

/** Does nothing; for tests and for seeing how a profile behaves without tools. */
export const noop = builtin({
  id: 'noop',
  name: 'Noop',
  description: 'Does nothing. For tests and demonstrations.',
  summary: 'does nothing',
  icon: 'circle-slash',
  category: 'Testing',
  forDevelopers: true,
  tools: [],
});
