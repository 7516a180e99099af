
/** The byte code of a stage: its header, and the words of its tokens. */
static function assembled(version:Int, stage:Int, words:Array<Int>):ByteArray {
    final code = new ByteArray();
    code.endian = Endian.LITTLE_ENDIAN;
    code.writeByte(0xa0);
    code.writeInt(version);
    code.writeByte(0xa1);
    code.writeByte(stage);
    for (word in words) code.writeInt(word);
    code.position = 0;
    return code;
}
