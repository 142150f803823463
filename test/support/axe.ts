import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** The frame of the page whose document holds `selector`; a webview's own document is two frames deep. */
export async function frameWith(page: Page, selector: string): Promise<Frame> {
  for (const frame of page.frames()) {
    const found = await frame
      .locator(selector)
      .count()
      .catch(() => 0);
    if (found > 0 && frame !== page.mainFrame()) return frame;
  }
  throw new Error(`no frame holds \`${selector}\` yet`);
}

/**
 * Runs axe in the document that the editor shows, with the editor's own colours, and gives each violation in one line.
 * Timers never fire in a webview without scripts, so axe gets ones that run at once.
 */
export async function axeViolations(frame: Frame): Promise<string[]> {
  return frame.evaluate(`(async () => {
    const now = (work) => { Promise.resolve().then(work); return 0; };
    const original = window.setTimeout;
    window.setTimeout = now;
    try {
      if (!window.axe) { ${axe.source} }
      const found = await window.axe.run(document, { resultTypes: ['violations'], preload: false });
      return found.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html + ' ' + node.failureSummary).join(' | '));
    } finally {
      window.setTimeout = original;
    }
  })()`);
}
