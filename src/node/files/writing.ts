// Everything that a write needs, loaded with the first one.
export { checkReplaceable, pieces, realDisk, sweepFolder, writeAtomically } from './atomicWrite';
export { LateSync } from './lateSync';
