/** A mistake that the user can mend: its message is for them, its stack is not. The command line exits with 2. */
export class UserError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UserError";
  }
}

/** The program itself failed; `cause` is what it threw, where it threw something. */
export class ProgramError extends UserError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ProgramError";
  }
}
