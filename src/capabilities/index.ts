import type { Capability } from '../core/capability';
import { currentTime } from './current_time/currentTime';
import { math } from './math/math';
import { noop } from './noop/noop';
import { todoList } from './todo_list/todoList';

/** Every built-in capability, in the order of the tree and of the manifest. The only list of them. */
export const builtinCapabilities: readonly Capability[] = [todoList, currentTime, math, noop];
