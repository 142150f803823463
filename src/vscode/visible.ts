import { visible } from '../core/base/visible';

/** So much of a name stands in a title. */
const mostOfName = 80;

/** A name that somebody else chose, for a title. */
export const shortName = (name: string): string => visible(name).slice(0, mostOfName);
