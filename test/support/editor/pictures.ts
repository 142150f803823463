const VARIABLE = 'AGENT_CAPABILITIES_PICTURES';

/**
 * Whoever names tests gets their pictures for people, in `.build/person`. A whole run would take 150 of them, which
 * nobody looks at; what fails is pictured in any case.
 */
export function wantPictures(): void {
  process.env[VARIABLE] = 'true';
}

export const arePicturesWanted = (): boolean => process.env[VARIABLE] === 'true';
