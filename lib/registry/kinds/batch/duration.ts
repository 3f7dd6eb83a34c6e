import { quote } from '#lib/machinery/go.ts';

const PART = /^([0-9]*)(\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h)?/;

/** What is wrong with a text in Go's notation of durations (`1h30m`), as Go says it. */
export function durationError(text: string): string | undefined {
  let rest = text.replace(/^[-+]/, '');
  const wrong = `time: invalid duration ${quote(text)}`;
  if (rest === '0') return undefined;
  if (rest === '') return wrong;
  while (rest !== '') {
    const [matched = '', whole = '', fraction = '', unit] = PART.exec(rest) ?? [];
    if (whole === '' && fraction.length < 2) return wrong;
    if (unit === undefined) return unitError(text, rest.slice(matched.length));
    rest = rest.slice(matched.length);
  }
  return undefined;
}

function unitError(text: string, rest: string): string {
  const unit = /^[^.0-9]*/.exec(rest)?.[0] ?? '';
  return unit === ''
    ? `time: missing unit in duration ${quote(text)}`
    : `time: unknown unit ${quote(unit)} in duration ${quote(text)}`;
}
