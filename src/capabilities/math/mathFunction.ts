import type { Numbers } from './numbers';
import type { Quantities, Scalar } from './quantity';

export interface FunctionTools {
  readonly numbers: Numbers;
  readonly quantities: Quantities;
  /** True where plain angles are degrees. */
  readonly degrees: boolean;
}

/** A call as a function sees it: `args` as written, lists in `lists`, and everything flattened in `all`. */
export interface Call {
  readonly args: readonly (Scalar | readonly Scalar[])[];
  readonly at: number;
}

export interface MathFunction {
  /** How many arguments it takes; a list counts as one. */
  readonly min: number;
  readonly max: number;
  apply(call: Call, tools: FunctionTools): Scalar;
}
