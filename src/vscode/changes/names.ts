/** What addresses of kept content begin with. */
export const keptScheme = 'agent-change';

/** Where the number of changes that nobody has looked at is remembered for the next start. */
export const unseenKey = 'changes.unseen';

/** The commands of the view, without what they begin with. */
export const changeCommands = [
  'open',
  'openSince',
  'undo',
  'undoSince',
  'redo',
  'markSeen',
  'markAllSeen',
  'refresh',
] as const;

export type ChangeCommand = (typeof changeCommands)[number];
