const BELOW = (of: string, sign: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `SIGRT${of}${sign}${i + 1}`);

/** Upstream's Linux signals, sorted as in messages. */
export const LINUX_SIGNALS: readonly string[] = [
  ...'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM'.split(
    ' ',
  ),
  ...'TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX'.split(' '),
]
  .map((name) => `SIG${name}`)
  .concat(BELOW('MIN', '+', 15), BELOW('MAX', '-', 14))
  .sort();

/** Upstream's Windows signals. */
export const WINDOWS_SIGNALS: readonly string[] = ['SIGKILL', 'SIGTERM'];
