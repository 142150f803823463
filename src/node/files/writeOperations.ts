// Everything that changes files, loaded with the first change.
export { checkReplaceable, pieces, realDisk, sweepFolder, writeAtomically } from './atomicWrite';
export { LateSync } from './lateSync';
export { checkDevice, moveBetween, moveOnto } from './moveBetween';
export { deleteIn } from './remove';
