/** Something that a person has to set up before any call of a tool can work here. */
export interface Missing {
  /** `setting:agentCapabilities.email.host`, `secret:smtp_password`, `file:data/app.sqlite` or `surface:editor`. */
  readonly what: string;
  /** What that means, and what to do; the words that a call would be refused with. */
  readonly why: string;
}
