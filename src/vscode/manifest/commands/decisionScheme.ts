/** The scheme of what is decided on in an editor; the buttons in the title bar hang on it. */
export const decisionScheme = 'agent-capabilities-decision';
