import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { until } from './until';

/**
 * What a person does who has a keyboard only. Keys follow each other without a pause; waits are for what the person
 * waits for, too.
 */
export class Keyboard {
  readonly #page: Page;
  #typed: string | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  /** Runs a command as somebody without a mouse does: palette, type, Enter once the command is the chosen row. */
  async palette(name: string): Promise<void> {
    const input = this.#page.locator('.quick-input-widget .quick-input-box input');
    // A window that is still starting takes no keys yet, and what has finished loading takes the focus: one presses
    // again.
    await until(async () => {
      await this.press('Escape', 'F1');
      await input.waitFor({ timeout: 3000 });
      await until(
        async () =>
          assert.equal(await input.evaluate((element) => element === element.ownerDocument.activeElement), true),
        2000,
      );
      await input.fill(`>${name}`, { timeout: 2000 });
      await this.#row(name).and(this.#page.locator('.focused')).waitFor({ timeout: 3000 });
      // Into the palette itself: what takes the focus at this moment closes it, and would take the key too.
      await input.press('Enter', { timeout: 2000 });
    }, 30_000);
    this.#typed = undefined;
  }

  /**
   * Types into the question that comes next, and accepts it. A question that holds the answer of the one before is not
   * there yet.
   */
  async answer(text: string): Promise<void> {
    const input = await this.question();
    await this.#page.keyboard.type(text);
    await until(async () => assert.equal(await input.inputValue(), text));
    this.#typed = text;
    await this.press('Enter');
  }

  /**
   * Waits for the question that comes after the palette or another question, with the focus in it and its text chosen.
   */
  async question(): Promise<Locator> {
    const input = this.#page.locator('.quick-input-widget:visible .quick-input-box input').first();
    await until(async () => {
      const state = await input.evaluate((element) => {
        const box = element as unknown as { value: string; ownerDocument: { activeElement: unknown } };
        return { value: box.value, isFocused: box.ownerDocument.activeElement === element };
      });
      assert.equal(state.isFocused, true, 'the question has the focus');
      assert.doesNotMatch(state.value, /^>/, 'the palette is still open');
      assert.notEqual(state.value, this.#typed, 'the question before is still open');
    });
    await this.press('Control+a');
    return input;
  }

  /** Waits until the keys of a person reach a list of this place, and stay there. */
  async focusIn(place: Locator): Promise<void> {
    let held = 0;
    await until(async () => {
      const isInside = await place.evaluate((element) => element.contains(element.ownerDocument.activeElement));
      held = isInside ? held + 1 : 0;
      assert.ok(held >= 5, 'the focus is in the list');
    });
  }

  #row(text: string): Locator {
    return this.#page.locator('.quick-input-widget .quick-input-list .monaco-list-row').filter({ hasText: text });
  }
}
