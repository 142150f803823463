import type { Page } from 'playwright-core';

/**
 * Runs in the page before anything else: what the editor moves for as long as it works (the shimmer of the chat, a
 * spinner) is there and stands still. Without a graphics card each picture of it is drawn by the processor, sixty in a
 * second. Each animation still ends and says so.
 */
const still = `(() => {
  if (window !== window.top) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important; }');
  document.adoptedStyleSheets.push(sheet);
})()`;

export async function keepStill(page: Page): Promise<void> {
  await page.addInitScript(still);
}
