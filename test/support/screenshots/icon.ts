import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { prepareChromium } from '../editor/chromium';
import { projectRoot } from '../editor/root';

/** Draws `media/icon.svg` as the PNG that a market page wants: it takes no vector graphics. */
async function drawIcon(): Promise<void> {
  const media = join(projectRoot(), 'media');
  const { executable, env } = await prepareChromium(console.log);
  const browser = await chromium.launch({ executablePath: executable, env, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
    const svg = await readFile(join(media, 'icon.svg'), 'utf8');
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
    await page.screenshot({ path: join(media, 'icon.png'), omitBackground: true });
  } finally {
    await browser.close();
  }
}

drawIcon().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
