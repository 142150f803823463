import { number } from '../../core/capability/declare';
import { choice, type InputOf, options, wholeNumber } from '../shared/parameters';

export const calculateInput = options({
  expression: {
    type: 'string',
    minLength: 1,
    description: 'One expression, such as `(2 + 3) * 4`, `sqrt(2)` or `100 km/h to m/s`',
  },
  expressions: {
    type: 'array',
    minItems: 1,
    maxItems: 50,
    items: { type: 'string', minLength: 1 },
    description: 'Instead of expression: several in order; `name = expression` names a result for later ones',
  },
  variables: {
    type: 'object',
    additionalProperties: number,
    description: 'Numbers by name for use in the expressions',
  },
  mode: choice('exact answers with fractions and refuses what has no exact value', ['float', 'exact'], 'float'),
  precision: wholeNumber('Significant digits of the result', 1, 100),
  base: wholeNumber('Number base of a whole result', 2, 36, 10),
  angle: choice('What plain angles are; `30 deg` works in both', ['rad', 'deg'], 'rad'),
});
export type CalculateInput = InputOf<typeof calculateInput>;
