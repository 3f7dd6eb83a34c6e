export interface Emulator {
  /** Of every service. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** What functions find in their environment besides what they are deployed with, given the emulator's endpoint. */
export type EnvironmentOf = (endpoint: string) => Readonly<Record<string, string>>;
