export interface Emulator {
  /** The endpoint of every service. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Additional environment variables of functions, by the emulator's endpoint. */
export type EnvironmentOf = (endpoint: string) => Readonly<Record<string, string>>;
