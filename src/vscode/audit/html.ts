import { escapeHtml, htmlPage } from '../../core/present/htmlText';
import { auditStyle } from './style';

/** The page of the view. All that it shows comes later as data; nothing but the one script with the nonce runs. */
export function auditHtml(options: {
  readonly nonce: string;
  readonly script: string;
  readonly title: string;
  readonly language: string;
}): string {
  const script = `<script nonce="${options.nonce}" src="${escapeHtml(options.script)}"></script>`;
  return htmlPage({ ...options, style: auditStyle, body: `<main id="root"></main>\n${script}`, hasScript: true });
}
