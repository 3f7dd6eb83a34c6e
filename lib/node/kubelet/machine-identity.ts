import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import type { MachineInfo } from './cadvisor.ts';

/** The file of the agent's folder that tells on which machine it was made. */
export const MACHINE_FILE = 'machine.json';

/** The machine that a disk is in. */
export type MachineIdentity = Pick<MachineInfo, 'machineID' | 'systemUUID'>;

/** The text of the file. */
export const machineIdentityText = ({ machineID, systemUUID }: MachineIdentity): string =>
  `${JSON.stringify({ machineID, systemUUID })}\n`;

/**
 * Whether the text of the file, undefined where there is none, is of another machine: the disk was copied. Copies differ in the UUID of
 * the (virtual) hardware, and in the machine id where it is made anew. A part that one of the machines does not have tells nothing. Half a file is none.
 */
export function isOfOtherMachine(text: string | undefined, now: MachineIdentity): boolean {
  const before = text === undefined ? {} : parsed(text);
  const differs = (field: keyof MachineIdentity): boolean => {
    const known = stringAt(before, field) ?? '';
    return known !== '' && now[field] !== '' && known !== now[field];
  };
  return differs('machineID') || differs('systemUUID');
}

function parsed(text: string): JsonObject {
  try {
    const { value } = decodeJson(Buffer.from(text));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
