import { quote } from '#lib/machinery/go.ts';

const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True'];
const FALSE = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

/** The value of a boolean option, parsed like Go's strconv.ParseBool. Throws Error with upstream's text. */
export function boolOption(name: string, value: string): boolean {
  if (TRUE.includes(value)) return true;
  if (FALSE.includes(value)) return false;
  throw new Error(`bad value for option ${quote(name)}: strconv.ParseBool: parsing ${quote(value)}: invalid syntax`);
}
