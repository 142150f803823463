import { didYouMean } from '../../core/base/nearest';
import { expressionError, quote } from './expressionError';
import { floorDivide, functionAliases, mathFunctions } from './functions';
import { MathCall, type MathContext } from './mathCall';
import { type NumberOptions, Numbers } from './numbers';
import type { Node } from './parser';
import { Quantities, type Scalar } from './quantity';
import { half, one, whole } from './rational';
import { units } from './units';

type Value = Scalar | readonly Scalar[];

interface EvaluatorOptions extends NumberOptions {
  readonly degrees: boolean;
}

const hundred = whole(100);
const constants = ['pi', 'tau', 'e', 'phi'] as const;

/**
 * Evaluates parsed expressions; named results stay for those that follow. One evaluator serves one call and one budget
 * of work.
 */
export class Evaluator {
  readonly numbers: Numbers;
  readonly quantities: Quantities;
  readonly #context: MathContext;
  readonly #names = new Map<string, Value>();

  constructor(options: EvaluatorOptions) {
    this.numbers = new Numbers(options);
    this.quantities = new Quantities(this.numbers);
    this.#context = { numbers: this.numbers, quantities: this.quantities, degrees: options.degrees };
  }

  /** Gives a value a name. Constants and functions keep theirs; units give way. */
  assign(name: string, value: Value): void {
    if (constants.some((one) => one === name))
      throw expressionError(`\`${name}\` is a constant; choose another name`, 0);
    if (findFunction(name)) throw expressionError(`\`${name}\` is a function; choose another name`, 0);
    this.#names.set(name, value);
  }

  evaluate(node: Node): Value {
    this.numbers.charge(100, node.at);
    switch (node.kind) {
      case 'number':
        return this.numbers.literal(node.text, node.at);
      case 'name':
        return this.#name(node.name, node.at);
      case 'negate':
        return this.quantities.negate(this.#scalar(node.operand));
      case 'factorial':
        return this.#apply('factorial', [this.#scalar(node.operand)], node.at);
      case 'percent':
        return this.quantities.divide(this.#scalar(node.operand), hundred, node.at);
      case 'binary':
        return this.#binary(node);
      case 'convert':
        return this.quantities.convert(this.#scalar(node.operand), this.#unit(node.unit), node.at);
      case 'list':
        return node.items.flatMap((item): readonly Scalar[] => {
          const value = this.evaluate(item);
          return isList(value) ? value : [value];
        });
      case 'call':
        return this.#call(node);
    }
  }

  #scalar(node: Node): Scalar {
    const value = this.evaluate(node);
    if (isList(value)) throw expressionError('a list can only be given to a function such as `mean`', node.at);
    return value;
  }

  /** The right side of a conversion, in which `in` is the inch and names of units win over names of results. */
  #unit(node: Node): Scalar {
    if (node.kind === 'name') {
      const unit = units.get(node.name);
      if (unit) return this.quantities.ofUnit(unit);
      if (!this.#names.has(node.name)) throw this.#unknown(node.name, node.at, 'unit');
    }
    return this.#scalar(node);
  }

  #name(name: string, at: number): Value {
    const value = this.#names.get(name);
    if (value !== undefined) return value;
    switch (name) {
      case 'pi':
        return this.quantities.pi();
      case 'tau':
        return this.numbers.multiply(this.quantities.pi(), whole(2), at);
      case 'e':
        return this.numbers.apply(one, at, Math.exp, (x) => x.exp(), '');
      case 'phi': {
        const root = this.numbers.power(whole(5), half, at);
        return this.numbers.divide(this.numbers.add(root, one, at), whole(2), at);
      }
    }
    const unit = units.get(name);
    if (unit) return this.quantities.ofUnit(unit);
    throw this.#unknown(name, at, 'name');
  }

  #unknown(name: string, at: number, what: 'name' | 'unit'): Error {
    if (what === 'name' && findFunction(name))
      return expressionError(`\`${name}\` is a function; write \`${name}(…)\``, at);
    const known =
      what === 'unit' ? units.keys() : [...this.#names.keys(), ...constants, ...units.keys(), ...mathFunctions.keys()];
    return expressionError(`${quote(name)} is not a known ${what}${didYouMean(name, known)}`, at);
  }

  #binary({ operator, left: leftNode, right: rightNode, at }: Extract<Node, { kind: 'binary' }>): Scalar {
    const left = this.#scalar(leftNode);
    const right = this.#scalar(rightNode);
    switch (operator) {
      case '+':
      case '-': {
        const sign = operator === '+' ? 1 : -1;
        // A percentage is one of what it is added to: 50 + 10% is 55.
        const share =
          rightNode.kind === 'percent' && leftNode.kind !== 'percent'
            ? this.quantities.multiply(left, right, at)
            : right;
        return this.quantities.add(left, share, at, sign);
      }
      case '*':
        return this.quantities.multiply(left, right, at);
      case '/':
        return this.quantities.divide(left, right, rightNode.at);
      case '//':
        return floorDivide(left, right, rightNode.at, this.#context);
      case 'mod':
        return this.#apply('mod', [left, right], rightNode.at);
      case '^':
        return this.quantities.power(left, right, at);
      case '<<':
        return this.#apply('shl', [left, right], at);
      case '>>':
        return this.#apply('shr', [left, right], at);
      case '&':
        return this.#apply('bitand', [left, right], at);
      case '|':
        return this.#apply('bitor', [left, right], at);
    }
  }

  #call({ name, args, at }: Extract<Node, { kind: 'call' }>): Scalar {
    if (!findFunction(name)) {
      const what = this.#names.has(name) || units.has(name) || constants.some((one) => one === name);
      const names = [...mathFunctions.keys(), ...Object.keys(functionAliases)];
      throw expressionError(
        what
          ? `\`${name}\` is not a function; write \`${name} * (…)\``
          : `no function is called ${quote(name)}${didYouMean(name, names)}`,
        at,
      );
    }
    return this.#apply(
      name,
      args.map((arg) => this.evaluate(arg)),
      at,
    );
  }

  #apply(name: string, args: readonly Value[], at: number): Scalar {
    const found = findFunction(name);
    if (!found) throw expressionError(`no function is called ${quote(name)}`, at);
    if (args.length < found.min || args.length > found.max) {
      const takes =
        found.min === found.max
          ? String(found.min)
          : found.max >= 1000
            ? `at least ${found.min}`
            : `${found.min} to ${found.max}`;
      throw expressionError(`\`${name}\` takes ${takes} argument${takes === '1' ? '' : 's'}, got ${args.length}`, at);
    }
    return found.apply(new MathCall(args, at, this.#context));
  }
}

const isList = (value: Value): value is readonly Scalar[] => Array.isArray(value);

function findFunction(name: string) {
  const own = mathFunctions.get(name);
  if (own) return own;
  const alias = Object.hasOwn(functionAliases, name) ? functionAliases[name] : undefined;
  return alias === undefined ? undefined : mathFunctions.get(alias);
}
