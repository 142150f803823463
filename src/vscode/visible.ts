import { visibleText } from '../core/base/visible';

/** A text of somebody else with nothing in it that a person does not see. */
export const visible = (text: string): string => visibleText(text).text;

/** So much of a name stands in a title. */
const mostOfName = 80;

/** A name that somebody else chose, for a title. */
export const shortName = (name: string): string => visible(name).slice(0, mostOfName);
