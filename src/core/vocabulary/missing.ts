import type { Sentence } from '../base/sentence';

/** What kind of thing is missing; agents read it before its name: `setting:agentCapabilities.email.host`. */
type MissingKind = 'capability' | 'configuration' | 'definition' | 'file' | 'secret' | 'setting' | 'surface' | 'tool';

/** Something that a person has to set up before any call of a tool can work here. */
export interface Missing {
  readonly kind: MissingKind;
  /** `agentCapabilities.email.host` of a setting, `data/app.sqlite` of a file; of a surface `editor`. */
  readonly name: string;
  /** What that means, and what to do; the words that a call would be refused with. */
  readonly why: Sentence;
}
