/** What became of a step: upstream's codes. A plugin that succeeds gives no status at all. */
export type Code = 'Error' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Wait' | 'Skip' | 'Pending';

/** Upstream's Status. Reasons are what users read in events, one a fact. */
export interface Status {
  readonly code: Code;
  readonly reasons: readonly string[];
  /** Who said so; filled in by the framework where a plugin leaves it out. */
  readonly plugin?: string;
}

/** Of plugins and what runs them: undefined is success. */
export type Outcome = Status | undefined;

export const newStatus = (code: Code, ...reasons: string[]): Status => ({ code, reasons });

export const SKIP: Status = { code: 'Skip', reasons: [] };

/** Whether the pod is refused here, as opposed to a fault of the machinery. */
export const isRejected = (status: Outcome): status is Status =>
  status?.code === 'Unschedulable' || status?.code === 'UnschedulableAndUnresolvable' || status?.code === 'Pending';

export const messageOf = (status: Status): string => status.reasons.join(', ');

/** A fault: what was thrown, or what another status says of one. */
export const errorStatus = (message: string, plugin?: string): Status =>
  plugin === undefined ? newStatus('Error', message) : { code: 'Error', reasons: [message], plugin };

export const withPlugin = (status: Status, plugin: string): Status => ({ ...status, plugin });

/** What a step gives; what it throws counts as a fault. */
export function outcomeOf(step: () => Outcome): Outcome {
  try {
    return step();
  } catch (error) {
    return errorStatus(messageOfError(error));
  }
}

/** The same of a step that writes. */
export async function outcomeOfWrite(step: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await step();
  } catch (error) {
    return errorStatus(messageOfError(error));
  }
}

export const messageOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error));
