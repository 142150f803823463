import type { Capability } from '../core/capability';
import { capabilities } from './capabilities/capabilities';
import { currentTime } from './current_time/currentTime';
import { fileSystem } from './fileSystem/fileSystem';
import { math } from './math/math';
import { noop } from './noop/noop';
import { todoList } from './todo_list/todoList';
import { webFetch } from './webFetch/webFetch';

/** Every built-in capability, in the order of the tree and of the manifest. The only list of them. */
export const builtinCapabilities: readonly Capability[] = [fileSystem, webFetch, todoList, currentTime, math, capabilities, noop];
