export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS is used where the server offers it, and demanded with `requireTls`. */
  readonly secure: boolean;
  readonly requireTls: boolean;
  readonly user?: string;
  readonly password?: string;
}

interface MailMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
}

/** Sends mail over SMTP. Errors are ToolErrors of code `email_error`; the password is never in them. */
export interface MailClient {
  send(
    server: MailServer,
    message: MailMessage,
    signal: AbortSignal,
  ): Promise<{
    readonly messageId: string;
    readonly accepted: readonly string[];
    readonly rejected: readonly string[];
  }>;
}
