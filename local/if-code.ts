/** For `catch`: undefined for an error of this code; throws any other. */
export function ifCode(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
    return undefined;
  };
}
