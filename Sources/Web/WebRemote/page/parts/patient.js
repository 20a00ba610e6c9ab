// Asking as often as the hub lets it.

/** What `press()` answers, which is pressed again where the hub asks to wait. */
export async function patient(press) {
  for (;;) {
    const res = await press();
    if (res.err?.code !== 'rate_limited') return res;
    await new Promise(go => setTimeout(go, res.err.afterMs ?? 200));
  }
}
