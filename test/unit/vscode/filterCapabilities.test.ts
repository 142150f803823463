import { strict as assert } from 'node:assert';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { filterCapabilities } from '../../../src/vscode/commands/filterCapabilities';
import { window } from '../../support/fakeVscode';

/** The box in which the filter is typed, as far as the command uses it; it lets go of its listeners itself. */
class Box {
  readonly #listeners: Record<'accepted' | 'changed' | 'hidden', (() => void)[]> = {
    accepted: [],
    changed: [],
    hidden: [],
  };
  readonly onDidAccept = (listener: () => void) => void this.#listeners.accepted.push(listener);
  readonly onDidChangeValue = (listener: () => void) => void this.#listeners.changed.push(listener);
  readonly onDidHide = (listener: () => void) => void this.#listeners.hidden.push(listener);
  readonly onDidTriggerButton = (): void => undefined;
  value = '';
  show = (): void => undefined;
  dispose = (): void => undefined;
  hide = (): void => this.does('hidden');
  type(text: string): void {
    this.value = text;
    this.does('changed');
  }
  does(what: 'accepted' | 'changed' | 'hidden'): void {
    for (const listener of this.#listeners[what]) listener();
  }
}

describe('a filter that is typed', () => {
  const makeBox = Object.getOwnPropertyDescriptor(window, 'createInputBox');
  let box: Box;
  beforeEach(() => {
    box = new Box();
    Object.assign(window, { createInputBox: () => box });
  });
  afterEach(() => {
    if (makeBox) Object.defineProperty(window, 'createInputBox', makeBox);
    else Reflect.deleteProperty(window, 'createInputBox');
  });

  /** Types and ends it; answers how often the focus was brought into the view. */
  async function focusedAfter(typed: (view: { isEmpty: boolean }) => void): Promise<number> {
    let focused = 0;
    const registry = new CapabilityRegistry();
    const view = { isEmpty: false, filter: '', setFilter: () => undefined, focus: async () => void focused++ };
    const done = filterCapabilities({ registry, view } as never);
    typed(view);
    await done;
    registry.dispose();
    return focused;
  }

  it('D.tree: has the focus brought back where nothing fitted meanwhile, also once rows are there again', async () => {
    const focused = await focusedAfter((view) => {
      box.type('nothing fits');
      view.isEmpty = true;
      box.type('risk:high');
      view.isEmpty = false;
      box.does('accepted');
    });
    assert.equal(focused, 1);
  });

  it('D.tree: has it brought back where nothing fits as it ends, and else leaves it to the editor', async () => {
    const ends = (isEmpty: boolean, how: 'accepted' | 'hidden') =>
      focusedAfter((view) => {
        box.type('words');
        view.isEmpty = isEmpty;
        box.does(how);
      });
    assert.equal(await ends(true, 'accepted'), 1);
    box = new Box();
    assert.equal(await ends(true, 'hidden'), 1);
    box = new Box();
    assert.equal(await ends(false, 'accepted'), 0);
  });
});
