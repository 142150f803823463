/** The style of the audit view: the editor's theme colours only, so that it follows every theme, high contrast too. */
export const auditStyle = `
[hidden] { display: none !important; }
html, body { height: 100%; }
body { padding: 0; margin: 0; color: var(--vscode-foreground); background: var(--vscode-editor-background); font: var(--vscode-font-size) var(--vscode-font-family); }
main { display: flex; flex-direction: column; height: 100vh; }
h1, h2, h3 { font-size: 1.1em; font-weight: 600; margin: 0; }
h1 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
form { display: flex; flex-direction: column; gap: 6px; padding: 8px 12px; border-bottom: 1px solid var(--vscode-panel-border, transparent); }
.search { display: flex; flex-wrap: wrap; gap: 6px; }
.search input { flex: 1 1 10em; min-width: 6em; }
.search button { flex: none; }
.filters { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: end; }
label { display: flex; flex-direction: column; gap: 2px; font-size: 0.9em; }
input, select { color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent)); padding: 3px 5px; font: inherit; width: 11em; }
select { color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background); border-color: var(--vscode-dropdown-border, transparent); width: auto; }
button { color: var(--vscode-button-secondaryForeground, var(--vscode-button-foreground)); background: var(--vscode-button-secondaryBackground, var(--vscode-button-background)); border: 1px solid var(--vscode-contrastBorder, var(--vscode-descriptionForeground, transparent)); padding: 4px 10px; font: inherit; cursor: pointer; }
button:hover { background: var(--vscode-button-secondaryHoverBackground, var(--vscode-button-hoverBackground)); }
button[aria-expanded=true] { border-color: var(--vscode-focusBorder); }
button.link { color: var(--vscode-textLink-foreground); background: none; border: none; padding: 0; text-align: left; text-decoration: underline; }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
.charts { display: flex; gap: 16px; padding: 8px 12px; border-bottom: 1px solid var(--vscode-panel-border, transparent); }
figure { margin: 0; flex: 1; min-width: 0; }
figcaption { font-size: 0.9em; margin-bottom: 2px; }
svg { display: block; width: 100%; height: 44px; }
.axis { display: flex; justify-content: space-between; font-size: 0.8em; color: var(--vscode-descriptionForeground); margin-top: 2px; white-space: nowrap; overflow: hidden; }
.bar { fill: var(--vscode-charts-blue, var(--vscode-textLink-foreground)); }
.bar.denials { fill: var(--vscode-charts-orange, var(--vscode-editorWarning-foreground)); }
.bar.durations { fill: var(--vscode-charts-green, var(--vscode-foreground)); }
.status { padding: 2px 12px; font-size: 0.9em; min-height: 1.4em; }
.problem { color: var(--vscode-errorForeground); }
.panes { display: flex; flex: 1; min-height: 0; }
.grid { flex: 1; min-width: 0; min-height: 0; display: flex; flex-direction: column; container: list / inline-size; }
.row { display: grid; grid-template-columns: 7em 9em minmax(7em, 1.2fr) minmax(8em, 3fr) 4.5em minmax(5em, 1fr) 5em 5em; column-gap: 8px; align-items: center; height: 24px; padding: 0 12px; box-sizing: border-box; }
.row > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.top { position: sticky; top: 0; z-index: 1; background: var(--vscode-editor-background); }
.head { font-weight: 600; border-bottom: 1px solid var(--vscode-panel-border, transparent); }
.scroll { flex: 1; overflow-y: scroll; position: relative; contain: strict; }
.space { position: relative; }
.space .row { position: absolute; left: 0; right: 0; }
.row.burst { display: block; line-height: 24px; font-weight: 600; cursor: pointer; }
.row.burst > .time::before { content: '▸'; display: inline-block; width: 1.2em; }
.row.burst[aria-expanded=true] > .time::before { content: '▾'; }
.row.burst > .time { display: block; }
.row.selected { background: var(--vscode-list-inactiveSelectionBackground); color: var(--vscode-list-inactiveSelectionForeground, inherit); }
.scroll:focus .row.selected { color: var(--vscode-list-activeSelectionForeground); background: var(--vscode-list-activeSelectionBackground); outline: 1px solid var(--vscode-list-focusOutline, transparent); outline-offset: -1px; }
.space .outcome::before { content: attr(data-mark); display: inline-block; width: 1.2em; }
.duration { text-align: right; }
.details { width: 38%; max-width: 640px; min-width: 260px; overflow: auto; border-left: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); padding: 10px 14px; box-sizing: border-box; }
.title { display: flex; align-items: start; gap: 8px; }
.title h2 { flex: 1; overflow-wrap: anywhere; }
.close { padding: 0 6px; border-color: transparent; background: none; color: inherit; }
.details h3 { margin: 12px 0 4px; }
.details details { margin-top: 12px; }
.details time { color: var(--vscode-descriptionForeground); }
summary { cursor: pointer; }
.details dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 10px; margin: 8px 0; }
.details dt { color: var(--vscode-descriptionForeground); }
.details dd { margin: 0; overflow-wrap: anywhere; }
.details ol, .details ul { margin: 0; padding-left: 1.4em; }
.details pre { white-space: pre-wrap; overflow-wrap: anywhere; font-family: var(--vscode-editor-font-family); background: var(--vscode-textCodeBlock-background); padding: 6px; max-height: 300px; overflow: auto; }
.actions { display: flex; flex-wrap: wrap; gap: 6px; margin: 8px 0; }
@container list (max-width: 820px) { .row { grid-template-columns: 7em 9em minmax(6em, 1.2fr) minmax(7em, 3fr) 4.5em 5em; } .row > .profile, .row > .risk { display: none; } }
@container list (max-width: 600px) { .row { grid-template-columns: 6.5em 9em minmax(6em, 1fr) minmax(6em, 2fr); } .row > .actor, .row > .duration { display: none; } }
@container list (max-width: 430px) { .row { grid-template-columns: 1.4em minmax(5em, 1fr) minmax(5em, 2fr); column-gap: 6px; } .row:not(.burst) > .time { display: none; } .row > .outcome { text-overflow: clip; } .space .outcome::before { width: 2em; } .head > .outcome { text-indent: 2em; } }
@container list (max-width: 170px) { .row { grid-template-columns: 1.4em minmax(3em, 1fr) minmax(3em, 1fr); } }
@media (max-width: 1000px) { .panes { flex-direction: column; } .details { width: auto; min-width: 0; max-width: none; border-left: none; border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); flex: 0 1 auto; max-height: 50%; } }
@media (max-width: 420px) { form, .status, .row { padding-left: 8px; padding-right: 8px; } .search { flex-wrap: nowrap; gap: 4px; } .search input { flex: 1 1 3em; min-width: 3em; } .search button { padding-left: 5px; padding-right: 5px; } .charts { flex-direction: column; } .filters label, .filters input { width: 100%; box-sizing: border-box; } }
@media (max-width: 180px) { .search { flex-wrap: wrap; } .search input { flex-basis: 100%; width: 100%; box-sizing: border-box; } }
`;
