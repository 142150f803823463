import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { arePicturesWanted } from './pictures';
import { projectRoot } from './root';
import { until } from './until';

/** What a person does in the workbench: waits, types into the palette, clicks rows, answers dialogs. */
export class Workbench {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Waits until the window is usable: the explorer and the status bar are there and extensions have started. */
  async ready(): Promise<void> {
    await this.page.waitForSelector('.monaco-workbench .part.statusbar', { timeout: 60_000 });
    await this.page.waitForSelector('.monaco-workbench .part.activitybar .action-item', { timeout: 60_000 });
  }

  /**
   * Runs a command by its name in the palette, as a person finds it: F1, type, Enter. The palette offers what was
   * enabled as it opened.
   */
  async runCommand(name: string): Promise<void> {
    const row = this.page
      .locator('.quick-input-widget .quick-input-list .monaco-list-row')
      // While the palette still looks for commands, it offers to ask the chat about the words, in a row that has them.
      .filter({ hasText: name, hasNotText: 'Ask in Chat:' })
      .first();
    await until(async () => {
      await this.openPalette(name);
      // An editor that opens at this moment takes the focus and closes the palette with its rows.
      await row.click({ timeout: 3000 });
    }, 30_000);
  }

  /** Opens the palette with text in it and leaves it open, to look at what it offers. */
  async openPalette(text: string): Promise<Locator> {
    const input = this.page.locator('.quick-input-widget .quick-input-box input');
    await this.page.keyboard.press('Escape');
    await this.page.keyboard.press('F1');
    await input.waitFor({ timeout: 15_000 });
    // What the editor opens at this moment may close the palette again; then whoever asked for it asks once more.
    await input.fill(`>${text}`, { timeout: 3000 });
    return this.page.locator('.quick-input-widget');
  }

  /** The open quick pick or input box. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  /** Chooses the row of the open quick pick that holds `text`. */
  async pick(text: string, timeout = 30_000): Promise<void> {
    await this.quickInput.locator('.monaco-list-row').filter({ hasText: text }).first().click({ timeout });
  }

  /**
   * Types into the open input box and accepts it; waits until it has gone, asks something else or says what is wrong,
   * for an answer that follows would go into it.
   */
  async answerInput(text: string): Promise<void> {
    const input = this.quickInput.locator('.quick-input-box input');
    await input.waitFor();
    const title = this.quickInput.locator('.quick-input-title');
    const asked = await title.textContent();
    const refusal = this.quickInput.locator('.monaco-inputbox.error, .monaco-inputbox.warning');
    await input.fill(text);
    const isAsked = async (): Promise<boolean> =>
      (await input.isVisible()) &&
      (await title.textContent({ timeout: 300 })) === asked &&
      (await input.inputValue({ timeout: 300 })) === text;
    // The editor takes no Enter while it still checks a text: one looks, and presses again where nothing is said
    // against it.
    await until(async () => {
      if (await isAsked()) await input.press('Enter', { timeout: 3000 });
      await until(async () => assert.equal(await isAsked(), false, 'the answer is taken'), 3000).catch(
        async (error: unknown) => {
          if (!(await refusal.isVisible())) throw error;
        },
      );
    }, 20_000);
  }

  /** Opens a view container by the name its icon has in the activity bar. */
  async openContainer(name: string): Promise<void> {
    const action = this.page
      .locator('.part.activitybar .action-item')
      .filter({ has: this.page.locator(`[aria-label^="${name}"]`) })
      .first();
    if ((await action.getAttribute('class'))?.includes('checked')) return;
    await action.click();
  }

  /** The rows of a tree; `view` is the view's title, which the tree carries as its label. */
  tree(view: string): Locator {
    return this.page.locator(
      `.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row, .monaco-list[aria-label^="${view}"] .monaco-list-row`,
    );
  }

  treeRow(view: string, text: string): Locator {
    return this.tree(view).filter({ hasText: text }).first();
  }

  checkbox(view: string, text: string): Locator {
    return this.treeRow(view, text).locator('.custom-view-tree-node-item-checkbox, .monaco-checkbox').first();
  }

  async isChecked(view: string, text: string): Promise<boolean> {
    return (await this.checkbox(view, text).getAttribute('aria-checked')) === 'true';
  }

  /**
   * Sets a tree checkbox by clicking it, and waits until it shows the wanted state. A click that meets a redraw does
   * nothing, which the person is told; so they look where the box is now, and click again.
   */
  async setCheckbox(view: string, text: string, checked: boolean): Promise<void> {
    const box = this.checkbox(view, text);
    await until(async () => {
      await this.atRest(box);
      if ((await this.isChecked(view, text)) !== checked) await this.clickBox(box);
      await until(async () => assert.equal(await this.isChecked(view, text), checked, `the box of ${text}`), 4000);
    }, 20_000);
  }

  /** Waits until something has stood where it stands for a quarter of a second. */
  async atRest(place: Locator): Promise<void> {
    let last = '';
    let held = 0;
    await until(async () => {
      const now = JSON.stringify(await place.boundingBox({ timeout: 2000 }));
      held = now === last && now !== 'null' ? held + 1 : 0;
      last = now;
      assert.ok(held >= 5, 'it stands still');
    }, 15_000);
  }

  /** Sends away a hover that stayed where it was: the editor keeps one whose row was drawn anew under it. */
  async withoutHover(): Promise<void> {
    const hovers = this.page.locator('.workbench-hover');
    for (let x = 605; x < 640 && (await hovers.count()) > 0; x += 5) {
      // In the empty editor nothing has a hover; a first move can come while one is just opening.
      await this.page.mouse.move(x, 500);
      // A key that no command has; one that has, such as Escape, leaves the hover where it is.
      await this.page.keyboard.press('ScrollLock');
      await hovers
        .first()
        .waitFor({ state: 'hidden', timeout: 100 })
        .catch(() => undefined);
    }
  }

  /** Clicks a box. Where a hover of the editor lies over it for good, the click goes to the box itself. */
  async clickBox(box: Locator): Promise<void> {
    await this.page.mouse.move(600, 500);
    await this.withoutHover();
    await box.click({ timeout: 3000 }).catch(() => box.dispatchEvent('click'));
  }

  /** Opens or closes a tree row by its twistie. */
  async expand(view: string, text: string): Promise<void> {
    const row = this.treeRow(view, text);
    const isClosed = async (): Promise<boolean> => (await row.getAttribute('aria-expanded')) === 'false';
    // What was switched on a moment ago may still be on its way to another place: the click met its neighbour, or the
    // editor, which tells nobody of a row that is opened while it fetches it anew, closes it again.
    await until(async () => {
      if (await isClosed()) await row.locator('.monaco-tl-twistie').click({ timeout: 5000 });
      await until(async () => assert.equal(await isClosed(), false), 2000);
      await this.atRest(row);
      assert.equal(await isClosed(), false);
    }, 20_000);
  }

  /**
   * Chooses an entry of a row's menu. The editor's menu hears of no click in the tenth of a second after it opened,
   * because that may be the end of the click that opened it: it stays open, and a person clicks again. A redraw of the
   * row may close it before; then it is opened again.
   */
  async chooseFromMenu(row: Locator, entry: string): Promise<void> {
    const item = this.page.locator('.context-view .action-label').filter({ hasText: entry }).first();
    await until(async () => {
      if (await item.isVisible()) await this.page.keyboard.press('Escape');
      await row.click({ button: 'right', timeout: 5000 });
      await item.click({ timeout: 5000 });
      await until(async () => {
        if (await item.isVisible()) await item.click({ timeout: 1000 });
        await item.waitFor({ state: 'hidden', timeout: 500 });
      }, 5000);
    }, 30_000);
  }

  /** The page of a view or an editor of ours whose text holds `words`. */
  async frameWith(words: RegExp, timeoutMs = 30_000): Promise<Frame> {
    return until(async () => {
      for (const one of this.page.frames()) {
        const text = await one
          .locator('body')
          .innerText({ timeout: 1000 })
          .catch(() => '');
        if (one !== this.page.mainFrame() && words.test(text)) return one;
      }
      throw new Error(`no page with ${words} is there yet`);
    }, timeoutMs);
  }

  /** Waits until a page that has scripts has nothing to do: what it was told is drawn. */
  async drawn(frame: Frame): Promise<void> {
    await frame.evaluate('new Promise((done) => requestIdleCallback(done, { timeout: 10000 }))');
  }

  get modal(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** Waits for a modal and gives its whole text, with plain blanks where it keeps lines unbroken. */
  async modalText(timeout = 30_000): Promise<string> {
    await this.modal.waitFor({ timeout });
    return (await this.modal.innerText()).replaceAll('\u00A0', ' ');
  }

  /** Waits for a modal, reads it for a moment, presses a button of it and waits until the modal has gone. */
  async pressModalButton(name: string | RegExp): Promise<void> {
    // What is pressed within half a second of opening is taken for a slip and asked again: a rule about time itself,
    // which counts from when the modal is there.
    await this.modal.waitFor({ timeout: 30_000 });
    await this.page.waitForTimeout(600);
    const exact = typeof name === 'string' ? { name, exact: true } : { name };
    // The next question may stand there before this one is seen to be gone.
    const dialog = await this.modal.elementHandle();
    await this.modal.getByRole('button', exact).click();
    await dialog?.waitForElementState('hidden');
  }

  notification(text: string | RegExp): Locator {
    return this.page
      .locator('.notifications-toasts .notification-list-item, .notifications-center .notification-list-item')
      .filter({ hasText: text })
      .first();
  }

  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text }).first();
  }

  /** The chat view, with its last answer and the confirmations inside it. */
  get chat(): Locator {
    return this.page.locator('.interactive-session').first();
  }

  /** A button of the confirmation in the chat, such as "Allow Once". */
  chatButton(name: string | RegExp): Locator {
    return this.chat.getByRole('button', { name }).first();
  }

  /** A picture for people to look at, where they are wanted. */
  async picture(name: string, part?: Locator): Promise<void> {
    if (arePicturesWanted()) await this.screenshot(join(projectRoot(), '.build', 'person', `${name}.png`), part);
  }

  /** A picture of the whole window, or of a part of it. */
  async screenshot(path: string, part?: Locator): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    if (part) await part.screenshot({ path });
    else await this.page.screenshot({ path });
  }
}
