import type { Capability } from '../core/capability';
import { fileSystem } from './fileSystem/fileSystem';
import { noop } from './noop/noop';

/** Every built-in capability, in the order of the tree and of the manifest. The only list of them. */
export const builtinCapabilities: readonly Capability[] = [fileSystem, noop];
