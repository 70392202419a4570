// Requests to the club of the server.

// The status of the response, and its bytes. `authorization` is the header of this name unless it is empty. Fails if there
// is no response within `patience` milliseconds.
export const request = async (verb, address, authorization, body, patience) => {
  const headers = authorization ? { authorization } : {};
  const answer = await fetch(address, { method: verb, headers, body: body.length ? body : undefined, signal: AbortSignal.timeout(patience) });
  return [answer.status, new Uint8Array(await answer.arrayBuffer())];
};
