import type { AndOr, CommandNode, CompoundList, Pipeline } from 'unbash';

/** What a shell runs: a command, or several of them as they are put together. */
export type ShellNode = CommandNode | Pipeline | AndOr | CompoundList;
