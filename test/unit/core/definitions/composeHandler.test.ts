// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { capabilityOf, definition } from '../../../support/gate';
import { type DefinitionWorld } from '../../../support/definitions';
import { open, worldWithTools } from '../../../support/definitionTools';

describe('the compose handler of definitions', () => {
  let world: DefinitionWorld;
  afterEach(() => world.dispose());

  const start = async (...args: Parameters<typeof worldWithTools>): Promise<DefinitionWorld> =>
    (world = await worldWithTools(...args));
  const code = async (tool: string, input: unknown = {}): Promise<string> =>
    ((await world.call(tool, input)) as any)?.code ?? 'ok';

  it('compose: passes results on, judges conditions, loops, goes on or stops after errors, each step through the gate', async () => {
    await start([
      {
        ...open,
        name: 'all',
        parameters: { numbers: 'array', flag: 'boolean' },
        handler: {
          type: 'compose',
          steps: [
            { id: 'first', tool: 'add', input: { a: 1, b: 2 } },
            {
              id: 'each',
              tool: 'multiply',
              forEach: '${input.numbers}',
              input: { a: '${item}', b: '${steps.first.result}' },
            },
            { id: 'maybe', tool: 'add', if: '${input.flag}', input: { a: 0, b: 0 } },
            {
              id: 'big',
              tool: 'add',
              if: {
                all: [
                  { value: '${steps.each.0.result}', greaterThan: 5 },
                  { not: { value: '${steps.first.result}', equals: 4 } },
                ],
              },
              input: { a: '${steps.each.0.result}', b: 1 },
            },
            { id: 'bad', tool: 'divide', input: { a: 1, b: 0 }, onError: 'continue' },
            { id: 'instead', tool: 'divide', input: { a: 1, b: 0 }, onError: { tool: 'add', input: { a: 40, b: 2 } } },
          ],
          output: {
            first: '${steps.first.result}',
            each: '${steps.each}',
            maybe: '${steps.maybe}',
            big: '${steps.big.result}',
            bad: '${steps.bad.error.code}',
            instead: '${steps.instead.result}',
            text: 'sum ${steps.first.result}',
          },
        },
      },
      {
        ...open,
        name: 'stops',
        handler: {
          type: 'compose',
          steps: [
            { id: 'a', tool: 'divide', input: { a: 1, b: 0 } },
            { id: 'b', tool: 'add', input: { a: 1, b: 1 } },
          ],
        },
      },
    ]);
    assert.deepEqual(world.problems(), []);
    assert.deepEqual(await world.call('t_all', { numbers: [2, 3] }), {
      first: 3,
      each: [
        { result: 6, exact: true },
        { result: 9, exact: true },
      ],
      maybe: null,
      big: 7,
      bad: 'division_by_zero',
      instead: 42,
      text: 'sum 3',
    });
    const stopped = (await world.call('t_stops')) as any;
    assert.deepEqual(
      [stopped.code, stopped.message.startsWith('step `a` failed: `divide`')],
      ['division_by_zero', true],
    );
    const finished = world.gate.events.filter((event) => event.type === 'invocation.finished');
    assert.equal(finished.filter((event) => (event as any).parentId !== undefined).length, 8);
    assert.equal(await code('t_all', { numbers: Array.from({ length: 201 }, () => 1) }), 'too_large');
  });

  it('compose: is never less than its steps in risk, effects, permissions, scopes and cost, whatever it says', async () => {
    const inner = capabilityOf(
      definition({
        name: 'wipe',
        riskLevel: 'critical',
        sideEffects: ['fs.delete', 'payments'],
        permissions: { user: 'confirmation_required', agent: 'forbidden' },
        scopes: ['x:y'],
        costClass: 'paid',
        idempotency: 'non-idempotent',
        reversible: false,
      }),
    );
    await start(
      [
        {
          ...open,
          name: 'mild',
          riskLevel: 'low',
          idempotency: 'idempotent',
          reversible: true,
          costClass: 'free',
          kind: 'data',
          handler: { type: 'compose', steps: [{ tool: 'wipe' }] },
        },
      ],
      { capabilities: [inner] },
    );
    const { riskLevel, sideEffects, permissions, scopes, costClass, idempotency, reversible } =
      world.gate.registry.tool('t_mild')!.definition;
    assert.deepEqual(
      { riskLevel, sideEffects, permissions, scopes, costClass, idempotency, reversible },
      {
        riskLevel: 'critical',
        sideEffects: ['fs.delete', 'payments'],
        permissions: { user: 'confirmation_required', agent: 'forbidden' },
        scopes: ['x:y'],
        costClass: 'paid',
        idempotency: 'non-idempotent',
        reversible: false,
      },
    );
    assert.equal(await code('t_mild'), 'permission_denied');
  });
});
