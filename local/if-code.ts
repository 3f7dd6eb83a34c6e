/** For `catch`: returns undefined for an error with this code, and throws any other. */
export function ifCode(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
    return undefined;
  };
}
