import { escapeHtml } from '../../core/present/htmlText';
import { auditStyle } from './style';

/** The page of the view. All that it shows comes later as data; nothing but the one script with the nonce runs. */
export function auditHtml(options: {
  readonly nonce: string;
  readonly script: string;
  readonly title: string;
  readonly language: string;
}): string {
  return `<!DOCTYPE html>
<html lang="${escapeHtml(options.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${options.nonce}'; style-src 'nonce-${options.nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(options.title)}</title>
<style nonce="${options.nonce}">${auditStyle}</style>
</head>
<body>
<main id="root"></main>
<script nonce="${options.nonce}" src="${escapeHtml(options.script)}"></script>
</body>
</html>`;
}
