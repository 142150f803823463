const mostValues = 64;
const mostElements = 1000;
const longestValue = 1024;

/** The values that a variable may have at some place of a line. */
export interface Variable {
  /** Each possible value; an array that is not open has its elements in their order. */
  readonly values: readonly string[];
  readonly isArray: boolean;
  /** True where it may hold something else too, or be unset. */
  readonly isOpen: boolean;
  /** True where what else it may hold may be text that others wrote; only an open one is. */
  readonly isTainted: boolean;
}

/** What is told of a variable beside its values; what is open counts as text of others where nothing else is said. */
export interface Openness {
  readonly isArray?: boolean;
  readonly isOpen?: boolean;
  readonly isTainted?: boolean;
}

/** A variable of as many values as are followed; it is open where there are more. */
export function variableOf(
  values: readonly string[],
  { isArray = false, isOpen = false, isTainted = isOpen }: Openness = {},
): Variable {
  const all = isArray && !isOpen ? values : [...new Set(values)];
  const kept = all.slice(0, isArray ? mostElements : mostValues).filter((value) => value.length <= longestValue);
  const isCut = kept.length < all.length;
  return { values: kept, isArray, isOpen: isOpen || isCut, isTainted: isTainted || isCut };
}

/** The value of a variable that has one for certain. */
export const onlyValue = ({ values, isOpen }: Variable): string | undefined =>
  values.length === 1 && !isOpen ? values[0] : undefined;

/** A variable that may be either; what is unset here may be set in the environment. */
export function eitherVariable(one: Variable | undefined, other: Variable | undefined): Variable | undefined {
  if (!one || !other) {
    const known = one ?? other;
    return known && variableOf([...known.values, ''], { ...known, isOpen: true });
  }
  if (isSame(one, other)) return other;
  const isArray = one.isArray || other.isArray;
  // Which element stands where is then known no more.
  const isOpen = isArray || one.isOpen || other.isOpen;
  return variableOf([...one.values, ...other.values], { isArray, isOpen, isTainted: one.isTainted || other.isTainted });
}

/** Tells whether two are alike, as far as they are looked at. */
export function isSame(one: Variable | undefined, other: Variable | undefined): boolean {
  if (one === other) return true;
  return (
    one?.isArray === other?.isArray &&
    one?.isOpen === other?.isOpen &&
    one?.isTainted === other?.isTainted &&
    one?.values.length === other?.values.length &&
    (one?.values.every((value, index) => value === other?.values[index]) ?? false)
  );
}

/** All that a variable may hold, in characters. */
export const sizeOf = ({ values }: Variable): number => values.reduce((sum, value) => sum + value.length + 20, 0);
